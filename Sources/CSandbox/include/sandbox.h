// The sandbox of the program that decodes pictures.
#ifndef LETSMEET_CSANDBOX_H
#define LETSMEET_CSANDBOX_H

/// Parts of the sandbox that are in force.
enum {
    /// Limits of memory, CPU time, wall-clock time, file size and open files.
    letsmeet_sandbox_limits = 1,
    /// The kernel's list of allowed system calls.
    letsmeet_sandbox_calls = 2,
    /// No access to the file system.
    letsmeet_sandbox_files = 4,
};

/// Limits what this process may do from now on: it computes, and reads and writes open files. Call
/// it when all libraries are loaded, and before the first byte from outside is read.
///
/// Returns the parts that are in force. The kernel may lack some of them.
int letsmeet_sandbox_enter(void);

/// The signal that ends the process when its wall-clock time is over: 30 seconds after this call.
void letsmeet_sandbox_set_alarm(void);

#endif
