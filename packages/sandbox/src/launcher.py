"""Runs a user's script, as the first process of the sandbox.

It starts before the script is known, waits for one request, sets the limits, runs the script in a child process,
forwards connections between its port and the server, limits the number of sockets, and reaps orphaned processes. When
the other end of the lifeline pipe is closed, for example because the server was killed, it exits and ends the whole
sandbox. The script cannot access its memory. It reports on a separate descriptor, as fields terminated by NUL:
`started`; for an uncaught exception `exception`, whether memory ran out (1 or 0), its class name and its message;
finally `exit` and the code, or `signal` and the number."""

# Uses the private modules, because importing the public ones takes several milliseconds.
import _signal as signal
import _socket as socket
import _thread
import ctypes
import fcntl
import os
import resource
import select
import site
import struct
import sys
import time
import types

NAME_LENGTH = 300
MESSAGE_LENGTH = 4000
THREAD_STACK_BYTES = 2 * 1024 * 1024
SERVER_SOCKET = "/run/sandbox/server.sock"
SCRIPT = "/run/script/main.py"
# Each connection uses two descriptors.
MAX_CONNECTIONS = 100
PENDING_BYTES = 256 * 1024
SOCKET_BYTES = 64 * 1024
PR_SET_DUMPABLE = 4
libc = ctypes.CDLL(None, use_errno=True)


def main():
    report_fd, lifeline, request_fd = map(int, sys.argv[1:])
    for fd in (report_fd, lifeline, request_fd):
        os.set_inheritable(fd, False)
    close_others((report_fd, lifeline, request_fd))
    protect_memory(True)
    first = FirstProcess(report_fd, lifeline)
    # The default stack of 8 MB per thread would count towards the memory limit, although little of it is used.
    _thread.stack_size(THREAD_STACK_BYTES)
    site.setquit()
    numbers, packages, environment = read_request(request_fd, lifeline)
    port, cpu_seconds, memory, processes, file_size, open_files, sockets = numbers
    # The soft limit sends a signal that identifies the reason; the hard limit kills a process that ignores it.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    forwarder = Forwarder(first, port) if port else None
    parent_end, child_end = socket.socketpair()
    send_report(report_fd, "started")
    child = os.fork()
    if child != 0:
        child_end.close()
        SocketGuard(first, parent_end, sockets)
        first.serve(child)
    protect_memory(False)
    first.abandon()
    parent_end.close()
    if forwarder:
        forwarder.abandon()
    guard_sockets(child_end)
    os.environ.update(environment)
    if "TZ" in environment:
        time.tzset()
    sys.path += packages
    run(report_fd)


def read_request(fd, lifeline):
    """Reads the numbers, the search path and the environment of the run, each field terminated by NUL."""
    text = b""
    while True:
        if lifeline in select.select([fd, lifeline], [], [])[0]:
            os._exit(1)
        part = os.read(fd, 1024 * 1024)
        if not part:
            break
        text += part
    os.close(fd)
    if not text:
        os._exit(1)
    fields = list(map(os.fsdecode, text.split(b"\0")[:-1]))
    pairs = fields[8:]
    packages = fields[7].split(":") if fields[7] else []
    return list(map(int, fields[:7])), packages, dict(zip(pairs[::2], pairs[1::2]))


def protect_memory(is_protected):
    """Denies or allows other processes of the same user access to this process via /proc."""
    if libc.prctl(PR_SET_DUMPABLE, int(not is_protected), 0, 0, 0) != 0:
        raise OSError("The memory of the first process could not be protected.")


def send_report(fd, *fields):
    try:
        os.write(fd, b"".join(field.replace("\0", "").encode("utf-8", "replace") + b"\0" for field in fields))
    except OSError:
        pass


def close_others(retained):
    """Closes descriptors that earlier programs left open."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in retained:
            try:
                os.close(int(name))
            except OSError:
                pass


def run(report_fd):
    script = SCRIPT
    module = types.ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module
    sys.argv = [script]
    sys.path.insert(0, os.path.dirname(script))
    try:
        with open(script, "rb") as file:
            text = file.read()
        exec(compile(text, script, "exec"), module.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        report(report_fd, error)
        own_frame = error.__traceback__
        error.__traceback__ = own_frame.tb_next if own_frame else None
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)


def report(fd, error):
    kind = type(error)
    hidden = kind.__module__ in ("builtins", "__main__")
    name = kind.__qualname__ if hidden else f"{kind.__module__}.{kind.__qualname__}"
    try:
        message = str(error)
    except Exception:
        message = ""
    memory = "1" if isinstance(error, MemoryError) else "0"
    send_report(fd, "exception", memory, name[:NAME_LENGTH], message[:MESSAGE_LENGTH])


class FirstProcess:
    """Dispatches events to their handlers."""

    def __init__(self, report_fd, lifeline):
        self.report_fd = report_fd
        self.lifeline = lifeline
        self.poll = select.epoll()
        self.handlers = {}
        self.deaths, self.waker = os.pipe()
        for fd in (self.deaths, self.waker):
            os.set_blocking(fd, False)
        self.watch(self.deaths, select.EPOLLIN, self.reap)
        self.watch(lifeline, select.EPOLLIN, lambda _: os._exit(1))
        self.child = None

    def abandon(self):
        """Closes the descriptors of the event loop in the child process."""
        self.poll.close()
        for fd in (self.deaths, self.waker, self.lifeline):
            os.close(fd)

    def serve(self, child):
        self.child = child
        # Errors of this process are not output of the script.
        silence = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(silence, fd)
        # As the first process, it receives from inside the sandbox only the signals that it handles.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.set_wakeup_fd(self.waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # The child may have exited before the handler was installed.
        os.write(self.waker, b"\0")
        try:
            while True:
                for fd, events in self.poll.poll():
                    handler = self.handlers.get(fd)
                    if handler:
                        handler(events)
        finally:
            os._exit(1)

    def watch(self, fd, events, handler):
        """Calls `handler` when one of `events` occurs; stops watching if `events` is 0."""
        if not events:
            self.poll.unregister(fd)
            del self.handlers[fd]
        elif fd in self.handlers:
            self.poll.modify(fd, events)
        else:
            self.poll.register(fd, events)
            self.handlers[fd] = handler

    def reap(self, _):
        os.read(self.deaths, 4096)
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0] != 0:
                self.report_exit(*ended)
        except ChildProcessError:
            pass

    def report_exit(self, pid, status):
        if pid != self.child:
            return
        code = os.waitstatus_to_exitcode(status)
        send_report(self.report_fd, *(("exit", str(code)) if code >= 0 else ("signal", str(-code))))
        os._exit(0)


def limit_buffers(connection):
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        connection.setsockopt(socket.SOL_SOCKET, option, SOCKET_BYTES)


SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_NEW_LISTENER = 8
CONTINUE = 1
ADD_AND_SEND = 2
RECEIVE, SEND, ADD = 0xC0502100, 0xC0182101, 0x40182103
# The numbers of seccomp, setsockopt, fcntl, socket and socketpair.
CALLS = {"x86_64": (317, 54, 72, 41, 53), "aarch64": (277, 208, 25, 198, 199)}
SOL_SOCKET = 1
# SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE and SO_RCVBUFFORCE.
BUFFER_OPTIONS = (7, 8, 32, 33)
F_SETPIPE_SZ = 1031
LOAD, IF_EQUAL, RETURN = 0x20, 0x15, 0x06
CALL, SECOND_ARGUMENT, THIRD_ARGUMENT = 0, 24, 32
ALLOW, DECIDE, IGNORE, REJECT = 0x7FFF0000, 0x7FC00000, 0x00050000, 0x00050001
ENOBUFS = 105


def guard_rules(set_option, control, create, create_pair):
    """Keeps buffer sizes fixed: ignores changes of socket buffer sizes and rejects changes of pipe sizes."""
    return [
        (LOAD, 0, 0, CALL),
        (IF_EQUAL, 0, 10, set_option),
        (LOAD, 0, 0, SECOND_ARGUMENT),
        (IF_EQUAL, 1, 0, SOL_SOCKET),
        (RETURN, 0, 0, ALLOW),
        (LOAD, 0, 0, THIRD_ARGUMENT),
        *((IF_EQUAL, 4 - i, 0, option) for i, option in enumerate(BUFFER_OPTIONS)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, IGNORE),
        (IF_EQUAL, 0, 4, control),
        (LOAD, 0, 0, SECOND_ARGUMENT),
        (IF_EQUAL, 0, 1, F_SETPIPE_SZ),
        (RETURN, 0, 0, REJECT),
        (RETURN, 0, 0, ALLOW),
        (IF_EQUAL, 2, 0, create),
        (IF_EQUAL, 1, 0, create_pair),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, DECIDE),
    ]


def guard_sockets(channel):
    """Makes the first process decide on each new socket of this process and its descendants."""
    seccomp, *calls = CALLS[os.uname().machine]
    rules = guard_rules(*calls)
    code = b"".join(struct.pack("=HBBI", *rule) for rule in rules)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(rules), ctypes.addressof(buffer))
    listener = libc.syscall(
        ctypes.c_long(seccomp),
        ctypes.c_long(SECCOMP_SET_MODE_FILTER),
        ctypes.c_long(SECCOMP_FILTER_FLAG_NEW_LISTENER),
        ctypes.c_char_p(program),
    )
    if listener < 0:
        raise OSError(ctypes.get_errno(), "The sockets of the script could not be limited.")
    channel.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", listener))])
    os.close(listener)
    channel.close()


class SocketGuard:
    """Limits the number of sockets in all processes, including sockets in flight, and the buffers of each socket."""

    TABLES = ("unix", "tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "netlink")

    def __init__(self, first, channel, limit):
        self.first = first
        self.channel = channel
        self.limit = limit
        self.credit = 0
        first.watch(channel.fileno(), select.EPOLLIN, self.begin)

    def begin(self, _):
        """Receives the listener; if there is none, the script has ended."""
        try:
            _, messages, _, _ = self.channel.recvmsg(1, socket.CMSG_LEN(4), socket.MSG_DONTWAIT)
        except OSError:
            messages = []
        self.first.watch(self.channel.fileno(), 0, None)
        self.channel.close()
        for _, _, data in messages:
            self.listener = struct.unpack("i", data)[0]
            os.set_inheritable(self.listener, False)
            self.first.watch(self.listener, select.EPOLLIN, self.decide)

    def decide(self, events):
        if not events & select.EPOLLIN:
            self.first.watch(self.listener, 0, None)
            os.close(self.listener)
            return
        request = bytearray(80)
        try:
            fcntl.ioctl(self.listener, RECEIVE, request)
            key, _, _, call, _, _, family, _, kind, _, protocol = struct.unpack_from("=QIIiIQiiiii", request)
            # A socket can have a counterpart that its peer has accepted or still queues, so each counts twice.
            if self.credit < 2:
                self.credit = self.limit - self.count()
            if self.credit < 2:
                self.respond(key, ENOBUFS)
                return
            self.credit -= 2
            if call == CALLS[os.uname().machine][4]:
                self.respond(key, 0)
            else:
                self.create(key, family, kind, protocol)
        except OSError:
            # The process has exited in the meantime.
            pass

    def create(self, key, family, kind, protocol):
        """Creates the socket here, with small buffers that do not grow."""
        try:
            created = socket.socket(family, kind, protocol)
            limit_buffers(created)
        except OSError as error:
            self.respond(key, error.errno or ENOBUFS)
            return
        try:
            flags = os.O_CLOEXEC if kind & socket.SOCK_CLOEXEC else 0
            fcntl.ioctl(self.listener, ADD, struct.pack("=QIIII", key, ADD_AND_SEND, created.fileno(), 0, flags))
        except OSError as error:
            self.respond(key, error.errno or ENOBUFS)
        finally:
            created.close()

    def respond(self, key, error):
        """Rejects the call, or lets the kernel execute it if there is no error."""
        fcntl.ioctl(self.listener, SEND, bytearray(struct.pack("=QqiI", key, 0, -error, 0 if error else CONTINUE)))

    def count(self):
        total = 0
        for name in self.TABLES:
            try:
                with open(f"/proc/self/net/{name}", "rb") as table:
                    lines = table.read().splitlines()[1:]
            except OSError:
                continue
            # Connections in the state TIME_WAIT have no buffers.
            total += sum(1 for line in lines if not (name.startswith("tcp") and line.split()[3] == b"06"))
        return total


class Side:
    """One end of a forwarded connection, with its pending output and whether it can receive more input."""

    def __init__(self, connection):
        self.socket = connection
        self.pending = bytearray()
        self.has_ended = False
        self.is_shut = False
        self.events = 0
        self.peer = None


class Forwarder:
    """Forwards connections to a port of 127.0.0.1 to the socket of the server."""

    def __init__(self, first, port):
        self.first = first
        self.listener = socket.socket()
        # Accepted connections inherit the sizes.
        limit_buffers(self.listener)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen(32)
        self.listener.setblocking(False)
        self.connections = 0
        self.listen(True)

    def abandon(self):
        """Closes the port in the child process."""
        self.listener.close()

    def listen(self, is_listening):
        self.first.watch(self.listener.fileno(), select.EPOLLIN if is_listening else 0, self.accept)

    def accept(self, _):
        try:
            client = socket.socket(fileno=self.listener._accept()[0])
        except OSError:
            return
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(SERVER_SOCKET)
        except OSError:
            client.close()
            server.close()
            return
        sides = Side(client), Side(server)
        sides[0].peer, sides[1].peer = sides[1], sides[0]
        for side in sides:
            side.socket.setblocking(False)
            self.watch(side)
        self.connections += 1
        if self.connections == MAX_CONNECTIONS:
            self.listen(False)

    def move(self, side, events):
        try:
            if events & (select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR):
                self.receive(side)
            if events & select.EPOLLOUT:
                self.send(side)
            for end in (side, side.peer):
                if end.peer.has_ended and not end.pending and not end.is_shut:
                    end.is_shut = True
                    end.socket.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            pass
        except OSError:
            self.close(side)
            return
        if side.is_shut and side.peer.is_shut:
            self.close(side)
            return
        self.watch(side)
        self.watch(side.peer)

    def receive(self, side):
        try:
            data = side.socket.recv(PENDING_BYTES)
        except ConnectionResetError:
            # The other end closed before it had read everything; all data that it sent has been received.
            data = b""
        if data:
            side.peer.pending += data
            self.send(side.peer)
        else:
            side.has_ended = True

    def send(self, side):
        try:
            sent = side.socket.send(side.pending)
            del side.pending[:sent]
        except BlockingIOError:
            pass
        except (BrokenPipeError, ConnectionResetError):
            # The other end no longer reads. Data that it sent before, such as an error response, must still be forwarded.
            side.pending.clear()
            side.is_shut = True

    def watch(self, side):
        wants_more = not side.has_ended and len(side.peer.pending) < PENDING_BYTES
        self.request_events(side, (select.EPOLLIN if wants_more else 0) | (select.EPOLLOUT if side.pending else 0))

    def request_events(self, side, events):
        if events == side.events:
            return
        self.first.watch(side.socket.fileno(), events, lambda happened: self.move(side, happened))
        side.events = events

    def close(self, side):
        for end in (side, side.peer):
            self.request_events(end, 0)
            end.socket.close()
        if self.connections == MAX_CONNECTIONS:
            self.listen(True)
        self.connections -= 1


main()
