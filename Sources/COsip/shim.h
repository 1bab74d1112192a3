#ifndef CALLSIM_COSIP_SHIM_H
#define CALLSIM_COSIP_SHIM_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/time.h>
#include <osipparser2/osip_parser.h>
#include <osipparser2/sdp_message.h>
#include <osip2/osip.h>

static inline void callsim_discard_trace(const char *file, int line, osip_trace_level_t level, const char *format,
                                         va_list arguments) {
  (void)file;
  (void)line;
  (void)level;
  (void)format;
  (void)arguments;
}

/* Takes libosip2's trace over; without it the first malformed message makes libosip2 write on standard output. */
static inline void callsim_silence_osip(void) {
  osip_trace_initialize_func(OSIP_FATAL, &callsim_discard_trace);
}

/* What libosip2 allocated goes back to it; `osip_free` is a macro. */
static inline void callsim_osip_free(void *memory) {
  osip_free(memory);
}

/* An event for a transaction, which takes it over. libosip2 exports a function of its own for this and declares it in no
   header. */
static inline osip_event_t *callsim_osip_event(type_t type, int transaction) {
  osip_event_t *event = (osip_event_t *)osip_malloc(sizeof(osip_event_t));
  if (event != NULL) {
    event->type = type;
    event->transactionid = transaction;
    event->sip = NULL;
  }
  return event;
}

#endif
