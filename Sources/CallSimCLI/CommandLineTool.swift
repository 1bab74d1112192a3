/// The command line tool.
public enum CommandLineTool {
  /// Runs the tool and returns the exit code.
  public static func run(_ arguments: [String]) -> Int32 { 0 }
}
