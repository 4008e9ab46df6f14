"""A poor network: each packet takes its time, some are lost. It does what `tc … netem` does, on systems
whose kernel lacks that: the hosts get a device whose packets this process carries."""

import fcntl
import heapq
import os
import random
import select
import struct
import threading
import time

from lab import ip

TUN = "/dev/net/tun"
SET_INTERFACE = 0x400454CA
IS_TUN, WITHOUT_HEAD = 0x0001, 0x1000


def is_there():
    try:
        os.close(os.open(TUN, os.O_RDWR))
        return True
    except OSError:
        return False


class Wire:
    """Connects the hosts of a lab, at addresses beside those that they have."""

    def __init__(self, lab, seconds, jitter, loss, seed=1):
        self.seconds, self.jitter, self.loss = seconds, jitter, loss
        self.random = random.Random(seed)
        self.carried = self.lost = 0
        self.ends = []
        self.is_over = threading.Event()
        for host in range(lab.count):
            end = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
            self.ends.append(end)
            # The name is of the whole machine until the device is the host's.
            name = f"rtg{os.getpid()}w{host}"[:15]
            fcntl.ioctl(end, SET_INTERFACE, struct.pack("16sH14x", name.encode(), IS_TUN | WITHOUT_HEAD))
            place = f"{lab.prefix}-host{host}"
            ip("link", "set", name, "netns", place)
            ip("-n", place, "address", "add", f"{self.address(host)}/24", "dev", name)
            ip("-n", place, "link", "set", name, "txqueuelen", "10000", "up")
        self.thread = threading.Thread(target=self.carry, daemon=True)

    def address(self, host):
        return f"10.78.0.{host + 1}"

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        for end in self.ends:
            os.close(end)

    def carry(self):
        under_way = []
        number = 0
        while not self.is_over.is_set():
            now = time.monotonic()
            wait = min(0.1, max(0.0, under_way[0][0] - now)) if under_way else 0.1
            ready, _, _ = select.select(self.ends, [], [], wait)
            now = time.monotonic()
            for end in ready:
                for _ in range(64):
                    try:
                        packet = os.read(end, 1 << 16)
                    except OSError:
                        break
                    to = packet[19] - 1 if packet[0] >> 4 == 4 else -1
                    if not 0 <= to < len(self.ends):
                        continue
                    self.carried += 1
                    if self.random.random() < self.loss:
                        self.lost += 1
                        continue
                    number += 1
                    late = self.seconds + self.random.uniform(-self.jitter, self.jitter)
                    heapq.heappush(under_way, (now + late, number, to, packet))
            now = time.monotonic()
            while under_way and under_way[0][0] <= now:
                _, _, to, packet = heapq.heappop(under_way)
                try:
                    os.write(self.ends[to], packet)
                except OSError:
                    # A device that takes nothing more loses the packet, as others do.
                    self.lost += 1
