/* Status of a fallible function: 0, or a failure that has been reported exactly once. */
#ifndef STATUS_H
#define STATUS_H

typedef int Status;

#define TRY(call)                       \
  do {                                  \
    Status status_ = (call);            \
    if (status_) return status_;        \
  } while (0)

#endif
