// Short names of unsigned types, which the host's headers give to every text that nvcc compiles.
#ifndef __CUPRUM_SHORT_NAMES_H
#define __CUPRUM_SHORT_NAMES_H
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
#endif
