import Instant

/// The coordination engine.
public struct CallCoordinator: Coordinator {
  public let settings: EngineSettings

  public init(settings: EngineSettings = EngineSettings()) {
    self.settings = settings
  }

  public mutating func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput] {
    []
  }
}
