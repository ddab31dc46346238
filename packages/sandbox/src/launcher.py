"""Runs the script of a user as the first process of the sandbox.

It sets the limits, leaves the script to a child, copies between its port and the server meanwhile, and takes leave of
processes that lost their parent. What becomes of the script is told on a descriptor of its own, as words that NUL ends:
`started`; if nothing caught an exception, `exception`, whether memory ran out (1 or 0), its class name, its message;
at last `exit` and the code, or `signal` and the number.
"""

import _thread
import os
import resource
import signal
import sys
import types

NAME_LENGTH = 300
MESSAGE_LENGTH = 4000
THREAD_STACK_BYTES = 2 * 1024 * 1024
SERVER_SOCKET = "/run/sandbox/server.sock"
# Each takes two descriptors.
MOST_CONNECTIONS = 100
PENDING_BYTES = 256 * 1024


def main():
    script, *numbers = sys.argv[1:]
    report_fd, port, cpu_seconds, memory, processes, file_size, open_files = map(int, numbers)
    os.set_inheritable(report_fd, False)
    close_others(report_fd)
    # Past the soft limit comes a signal that tells its reason; one that ignores it is killed at the hard one.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The usual 8 MB of each thread would count as memory, though next to nothing of them is used.
    _thread.stack_size(THREAD_STACK_BYTES)
    forwarder = make_forwarder(port) if port else None
    tell(report_fd, "started")
    child = os.fork()
    if child != 0:
        be_first_process(child, report_fd, forwarder)
    if forwarder:
        forwarder.abandon()
    run(script, report_fd)


def tell(fd, *words):
    try:
        os.write(fd, b"".join(word.replace("\0", "").encode("utf-8", "replace") + b"\0" for word in words))
    except OSError:
        pass


def close_others(kept):
    """Descriptors that the programs before this one left open."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) != kept:
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
    tell(fd, "exception", memory, name[:NAME_LENGTH], message[:MESSAGE_LENGTH])


def be_first_process(child, report_fd, forwarder):
    # Troubles of this process are no output of the script.
    silence = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(silence, fd)
    # The first process gets no signal from inside that it does not ask for.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def bury(pid, status):
        if pid != child:
            return
        code = os.waitstatus_to_exitcode(status)
        tell(report_fd, *(("exit", str(code)) if code >= 0 else ("signal", str(-code))))
        os._exit(0)

    try:
        while forwarder is None:
            bury(*os.wait())
        forwarder.serve(bury)
    finally:
        os._exit(1)


def make_forwarder(port):
    """Copies what connects to a port of 127.0.0.1 to the socket of the server."""
    import selectors
    import socket

    return Forwarder(selectors, socket, socket.create_server(("127.0.0.1", port), backlog=128))


class Side:
    """One end of a connection: what is still to be sent on it, and whether more can be read from it."""

    def __init__(self, socket):
        self.socket = socket
        self.pending = bytearray()
        self.has_ended = False
        self.is_shut = False
        self.events = 0
        self.peer = None


class Forwarder:
    def __init__(self, selectors, socket, listener):
        self.selectors = selectors
        self.read, self.write = selectors.EVENT_READ, selectors.EVENT_WRITE
        self.selector = None
        self.socket = socket
        self.listener = listener
        self.connections = 0

    def abandon(self):
        """In the child, which is not to hold the port."""
        self.listener.close()

    def serve(self, bury):
        """@param bury gets each process that has ended: its number and its status"""
        self.selector = self.selectors.DefaultSelector()
        deaths, waker = self.socket.socketpair()
        for end in (self.listener, deaths, waker):
            end.setblocking(False)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.selector.register(self.listener, self.read, self.accept)
        self.selector.register(deaths, self.read, lambda: self.reap(deaths, bury))
        # One may have ended before anybody listened.
        waker.send(b"\0")
        while True:
            for key, events in self.selector.select():
                if not isinstance(key.data, Side):
                    key.data()
                elif key.data.events:
                    self.move(key.data, events)

    def reap(self, deaths, bury):
        deaths.recv(4096)
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0] != 0:
                bury(*ended)
        except ChildProcessError:
            pass

    def accept(self):
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
            self.selector.unregister(self.listener)

    def move(self, side, events):
        try:
            if events & self.read:
                self.receive(side)
            if events & self.write:
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
        events = (self.read if wants_more else 0) | (self.write if side.pending else 0)
        if events == side.events:
            return
        if not side.events:
            self.selector.register(side.socket, events, side)
        elif not events:
            self.selector.unregister(side.socket)
        else:
            self.selector.modify(side.socket, events, side)
        side.events = events

    def close(self, side):
        for end in (side, side.peer):
            if end.events:
                self.selector.unregister(end.socket)
            end.events = 0
            end.socket.close()
        if self.connections == MOST_CONNECTIONS:
            self.selector.register(self.listener, self.read, self.accept)
        self.connections -= 1


main()
