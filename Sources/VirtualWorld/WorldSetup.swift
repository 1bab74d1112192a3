import CallEngine
import Instant
import SIP
import Timeline

/// Everything that a world begins with.
public struct WorldSetup: Hashable, Sendable {
  /// All randomness comes from this.
  public var seed: UInt64
  public var phone: PhoneSetup
  public var peers: [PeerSetup]
  /// The calls that the script names.
  public var calls: [NamedCall]
  /// Latencies: the link that names most ends wins, of equal ones the later; none means no latency.
  public var links: [Link]
  public var faults: [Fault]

  public init(
    seed: UInt64 = 1, phone: PhoneSetup, peers: [PeerSetup] = [], calls: [NamedCall] = [], links: [Link] = [],
    faults: [Fault] = []
  ) {
    self.seed = seed
    self.phone = phone
    self.peers = peers
    self.calls = calls
    self.links = links
    self.faults = faults
  }
}

/// Where an actor is on the network.
public struct ActorAddress: Hashable, Sendable {
  /// The actor's name in the script.
  public var name: String
  /// The address of record, a SIP URI.
  public var uri: String
  /// The host name or IP address where the actor listens, as it stands in Via and Contact.
  public var host: String
  public var port: Int
  public var transport: Transport

  public init(name: String, uri: String, host: String, port: Int = 5060, transport: Transport = .udp) {
    self.name = name
    self.uri = uri
    self.host = host
    self.port = port
    self.transport = transport
  }
}

/// The virtual phone and the app on it.
public struct PhoneSetup: Hashable, Sendable {
  public var address: ActorAddress
  public var settings: PhoneSettings

  public init(address: ActorAddress, settings: PhoneSettings = PhoneSettings()) {
    self.address = address
    self.settings = settings
  }
}

/// How the system and the app's user agent behave where public sources leave room or the script decides.
public struct PhoneSettings: Hashable, Sendable {
  /// From a report of an incoming call to its completion (CK-17 needs it to be over zero).
  public var reportDelay: Span = .milliseconds(5)
  /// From a request for a transaction to its completion.
  public var requestDelay: Span = .milliseconds(5)
  /// From the tap to the delivery of the action.
  public var actionDelay: Span = .zero
  /// From the completion that gives or takes the last un-held call to the session's activation or deactivation (CK-25).
  public var activationDelay: Span = .milliseconds(20)
  /// How long the system waits for the completion of an action (CK-6).
  public var systemActionLimit: Span = .seconds(60)
  /// Whether the system filters incoming calls by Do Not Disturb (CK-15).
  public var doNotDisturb: Bool = false
  /// The status of a user's decline: 603 or 486.
  public var declineStatus: Int = 603
  /// CXProviderConfiguration.maximumCallGroups (CK-29).
  public var maximumCallGroups: Int = 2
  /// Whether the rules activate and deactivate the audio session; else only the script does.
  public var activatesAudioByItself: Bool = true
  /// What happens to the session when another call takes it over (CK-26).
  public var audioHandover: AudioHandover = .none
  /// How the app sends digits.
  public var digitTransport: DigitTransport = .events
  /// Whether the system resumes the held call when the user has ended the other one (CK-34).
  public var resumesAfterLocalEnd: Bool = true

  /// What the app's invitations offer.
  public var offer: Offer = .rtp

  /// The media of an invitation.
  public enum Offer: String, Hashable, Sendable, CaseIterable {
    /// Plain RTP.
    case rtp
    /// SRTP, and plain RTP under another Call-ID if that is refused for its media (LP-15).
    case srtpElseRTP = "srtp-else-rtp"
  }

  /// The audio session between two calls.
  public enum AudioHandover: String, Hashable, Sendable, CaseIterable {
    /// It stays active.
    case none
    /// It is deactivated, then activated.
    case cycle
  }

  /// How digits leave the phone.
  public enum DigitTransport: String, Hashable, Sendable, CaseIterable {
    /// As telephone events (RFC 4733); not at all if they were not negotiated.
    case events
    /// As INFO requests.
    case info
    /// As events if they were negotiated, else as INFO.
    case eventsElseInfo = "events-else-info"
  }

  public init() {}
}

/// A SIP peer whose decisions come from the script.
public struct PeerSetup: Hashable, Sendable {
  public var address: ActorAddress
  /// Whether the peer takes the obvious decisions by itself: 180, 200, ACK, 200 to every in-dialog request.
  public var isAutomatic: Bool
  /// How long after the INVITE an automatic peer answers.
  public var answersAfter: Span

  public init(address: ActorAddress, isAutomatic: Bool = false, answersAfter: Span = .seconds(1)) {
    self.address = address
    self.isAutomatic = isAutomatic
    self.answersAfter = answersAfter
  }
}

/// A call that the script names, and what it fixes about it.
public struct NamedCall: Hashable, Sendable {
  public var name: String
  /// What the world's source of UUIDs hands out for this call.
  public var uuid: CallUUID?
  /// The Call-ID of its push and its INVITE; without one it is the name, `@` and the caller's host.
  public var callID: String?

  public init(name: String, uuid: CallUUID? = nil, callID: String? = nil) {
    self.name = name
    self.uuid = uuid
    self.callID = callID
  }
}

/// The latency between two actors, in one direction; `nil` means anybody.
public struct Link: Hashable, Sendable {
  public var from: String?
  public var to: String?
  /// Drawn for every message; in order of sending on a reliable transport.
  public var latency: ClosedRange<Span>

  public init(from: String? = nil, to: String? = nil, latency: ClosedRange<Span>) {
    self.from = from
    self.to = to
    self.latency = latency
  }
}
