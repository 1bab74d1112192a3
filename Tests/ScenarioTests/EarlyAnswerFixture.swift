/// A scenario that uses most of what is supported.
let earlyAnswer = #"""
  callsim 1

  scenario "answer tapped before the INVITE arrives"
    tags    early-answer push smoke
    why     "VoIP push rings CallKit; the user is faster than SIP registration"
    param   gap: duration = 200ms in [0ms, 200ms, 4s, 14s]      # 15 s is the placeholder's deadline

  device  phone  sip:bob@10.0.0.2:5060
  peer    pbx    sip:alice@10.0.0.1:5060
  call    c1     uuid 7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11

  always  at-most 1 call active
  always  audio unit runs implies some call connected
  always  each action is completed at-most once

  # --- ring ---------------------------------------------------------------
  @0ms      push c1 to phone caller "Alice" call-id "inv-1@10.0.0.1"   as push1
            expect within 50ms  phone reports c1 incoming
            expect within 50ms  c1 becomes ringing
  @400ms    user answers c1                                    as tap
            expect within 50ms  audio configures               # category and mode only (CK-24)
            expect within 50ms  c1 becomes answering
            expect within 50ms  c1 action answer becomes pending   # left open on purpose (CK-11)

  # --- the INVITE catches up ------------------------------------------------
  +${gap}   pbx -> phone INVITE c1 offer sendrecv              as inv
              call-id "inv-1@10.0.0.1"
            never  between tap and inv  audio activates
            never  between tap and inv  phone -> pbx any
            never  until end    phone reports any incoming
            expect within 50ms  phone updates c1 handle "sip:alice@10.0.0.1"
            expect within 50ms  phone -> pbx 200 to inv answer sendrecv  as ok   # no 100, no 180 needed
            expect within 50ms  c1 action answer is fulfilled  # when the 200 has left
            expect within 50ms  c1 becomes connecting
            expect within 200ms audio activates                as live
            expect within 50ms of live  audio unit starts      # does not wait for the ACK
  on ok+30ms  pbx -> phone ACK to ok                           as ack
            expect within 50ms  c1 becomes active

  on ack+1s   user ends c1                                     as hangup
            expect within 50ms  audio unit stops
            expect within 50ms  phone -> pbx BYE c1            as bye
            expect within 50ms  c1 action end is fulfilled
            expect within 50ms  c1 becomes ended reason local  # at the tap, not at the 200 to BYE
            expect within 200ms audio deactivates
  on bye+10ms pbx -> phone 200 to bye

  # A case "from LABEL" keeps the file up to that line's stimulus, drops its checks and all later lines.

  case "no INVITE ever comes" from tap
            expect within 50ms  audio configures
            expect at push1+15s c1 action answer is failed     # before the report (CK-22)
            expect at push1+15s phone reports c1 ended reason failed
            expect at push1+15s c1 becomes ended reason failed
            never  until end    audio activates
            never  until end    phone -> pbx any

  case "the INVITE comes after the deadline" from tap
            expect within 50ms  audio configures
            expect at push1+15s c1 action answer is failed
            expect at push1+15s phone reports c1 ended reason failed
            expect at push1+15s c1 becomes ended reason failed
  @20s      pbx -> phone INVITE c1 offer sendrecv              as late
              call-id "inv-1@10.0.0.1"
            expect within 50ms  phone -> pbx 480 to late       # a time-out is not a decline: never 6xx
            never  until end    phone reports any incoming
            never  until end    audio activates

  case "the user gives up before the INVITE comes" from tap
            expect within 50ms  audio configures
  +1s       user ends c1
            expect within 50ms  c1 action answer is failed
            expect within 50ms  c1 action end is fulfilled
            expect within 50ms  c1 becomes ended reason local
  +1s       pbx -> phone INVITE c1 offer sendrecv              as refused
              call-id "inv-1@10.0.0.1"
            expect within 50ms  phone -> pbx 603 to refused
            never  until end    phone reports any incoming
            never  until end    audio activates

  case "hang-up between the 200 and its ACK" from inv
            expect within 50ms  phone updates c1 handle "sip:alice@10.0.0.1"
            expect within 50ms  phone -> pbx 200 to inv answer sendrecv  as ok
            expect within 50ms  c1 action answer is fulfilled
  on ok+5ms   user ends c1                                     as hangup
            expect within 50ms  c1 action end is fulfilled
            expect within 50ms  c1 becomes ended reason local
  on ok+30ms  pbx -> phone ACK to ok                           as ack
            never  between hangup and ack  phone -> pbx BYE c1  # RFC 3261 15
            expect within 50ms  phone -> pbx BYE c1            as bye
  on bye+10ms pbx -> phone 200 to bye
            never  until end    audio unit starts              # activation comes too late for this call

  """#
