#ifndef LETSMEET_CCRYPTO_H
#define LETSMEET_CCRYPTO_H

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#endif
