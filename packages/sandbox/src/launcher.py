"""Runs the script of a user as the first process of the sandbox.

It sets the limits, runs the script in a child process, forwards connections between its port and the server, and reaps
orphaned processes. It exits, and with it the whole sandbox, when the other end of its life line is closed, for example
because the server was killed. The script cannot modify its memory. It reports on a separate descriptor, as fields
terminated by NUL: `started`; for an uncaught exception `exception`, whether memory ran out (1 or 0), its class name and
its message; finally `exit` and the code, or `signal` and the number.
"""

import _thread
import ctypes
import os
import resource
import select
import signal
import site
import sys
import types

NAME_LENGTH = 300
MESSAGE_LENGTH = 4000
THREAD_STACK_BYTES = 2 * 1024 * 1024
SERVER_SOCKET = "/run/sandbox/server.sock"
# Each takes two descriptors.
MOST_CONNECTIONS = 100
PENDING_BYTES = 256 * 1024
PR_SET_DUMPABLE = 4


def main():
    script, packages, *numbers = sys.argv[1:]
    report_fd, life_line, port, cpu_seconds, memory, processes, file_size, open_files = map(int, numbers)
    for fd in (report_fd, life_line):
        os.set_inheritable(fd, False)
    close_others((report_fd, life_line))
    # The soft limit sends a signal that identifies the reason; the hard limit kills a process that ignores it.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The default stack of 8 MB per thread would count as memory, although little of it is used.
    _thread.stack_size(THREAD_STACK_BYTES)
    first = FirstProcess(report_fd, life_line)
    forwarder = Forwarder(first, port) if port else None
    protect_memory(True)
    send_report(report_fd, "started")
    if select.select([life_line], [], [], 0)[0]:
        os._exit(1)
    child = os.fork()
    if child != 0:
        first.serve(child)
    protect_memory(False)
    first.abandon()
    if forwarder:
        forwarder.abandon()
    site.setquit()
    sys.path += packages.split(":") if packages else []
    run(script, report_fd)


def protect_memory(is_protected):
    """Denies other processes of the same user access via /proc."""
    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, int(not is_protected), 0, 0, 0) != 0:
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


def run(script, report_fd):
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

    def __init__(self, report_fd, life_line):
        self.report_fd = report_fd
        self.life_line = life_line
        self.poll = select.epoll()
        self.handlers = {}
        self.deaths, self.waker = os.pipe()
        for fd in (self.deaths, self.waker):
            os.set_blocking(fd, False)
        self.watch(self.deaths, select.EPOLLIN, self.reap)
        self.watch(life_line, select.EPOLLIN, lambda _: os._exit(1))
        self.child = None

    def abandon(self):
        """Closes the descriptors in the child."""
        self.poll.close()
        for fd in (self.deaths, self.waker, self.life_line):
            os.close(fd)

    def serve(self, child):
        self.child = child
        # Errors of this process are not output of the script.
        silence = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(silence, fd)
        # The first process receives only those signals from inside that it handles.
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
        """Calls `handler` with the events that occur; stops if `events` is empty."""
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
                self.bury(*ended)
        except ChildProcessError:
            pass

    def bury(self, pid, status):
        if pid != self.child:
            return
        code = os.waitstatus_to_exitcode(status)
        send_report(self.report_fd, *(("exit", str(code)) if code >= 0 else ("signal", str(-code))))
        os._exit(0)


class Side:
    """One end of a connection, with its pending output and whether more input is possible."""

    def __init__(self, socket):
        self.socket = socket
        self.pending = bytearray()
        self.has_ended = False
        self.is_shut = False
        self.events = 0
        self.peer = None


class Forwarder:
    """Forwards connections to a port of 127.0.0.1 to the socket of the server."""

    def __init__(self, first, port):
        import socket

        self.first = first
        self.socket = socket
        self.listener = socket.create_server(("127.0.0.1", port), backlog=128)
        self.listener.setblocking(False)
        self.connections = 0
        self.listen(True)

    def abandon(self):
        """Closes the port in the child."""
        self.listener.close()

    def listen(self, is_listening):
        self.first.watch(self.listener.fileno(), select.EPOLLIN if is_listening else 0, self.accept)

    def accept(self, _):
        try:
            client, _ = self.listener.accept()
        except OSError:
            return
        server = self.socket.socket(self.socket.AF_UNIX)
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
        if self.connections == MOST_CONNECTIONS:
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
                    end.socket.shutdown(self.socket.SHUT_WR)
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
        data = side.socket.recv(PENDING_BYTES)
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
        if self.connections == MOST_CONNECTIONS:
            self.listen(True)
        self.connections -= 1


main()
