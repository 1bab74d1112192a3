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

#endif
