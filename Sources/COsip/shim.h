#ifndef CALLSIM_COSIP_SHIM_H
#define CALLSIM_COSIP_SHIM_H

#include <stddef.h>
#include <sys/time.h>
#include <osipparser2/osip_parser.h>
#include <osipparser2/sdp_message.h>
#include <osip2/osip.h>

#endif
