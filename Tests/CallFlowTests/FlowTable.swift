/// Every flow and every party in it that is a user agent.
enum FlowTable {
  static let entries: [FlowEntry] = basic + referrals + others + services + races
}
