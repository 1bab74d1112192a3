import Timeline
