/// What stands above the timeline of one run.
public struct Heading: Sendable {
  public var title: String
  public var caseName: String?
  public var params: [(name: String, value: String)]
  public var seed: UInt64

  public init(title: String, caseName: String?, params: [(name: String, value: String)], seed: UInt64) {
    self.title = title
    self.caseName = caseName
    self.params = params
    self.seed = seed
  }
}
