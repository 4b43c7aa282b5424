/*
 * Functions nobody here may call: unbounded, not thread-safe, or silent on errors. Using one
 * does not compile. Force-included by the build.
 */
#ifndef BANNED_H
#define BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(fn) sorry_##fn##_is_banned

#undef strcpy
#define strcpy BANNED(strcpy)
#undef strcat
#define strcat BANNED(strcat)
#undef sprintf
#define sprintf BANNED(sprintf)
#undef vsprintf
#define vsprintf BANNED(vsprintf)
#undef strtok
#define strtok BANNED(strtok)
#undef gmtime
#define gmtime BANNED(gmtime)
#undef localtime
#define localtime BANNED(localtime)
#undef strerror
#define strerror BANNED(strerror)
#undef atoi
#define atoi BANNED(atoi)

#endif
