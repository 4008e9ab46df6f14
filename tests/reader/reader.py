#!/usr/bin/env python3
"""Reads a tablebase, from docs/FORMAT.md alone, and prints what is in it as JSON.

    reader.py TABLE            the header, a sum over all values, the first values, and the states
    reader.py --has-zstd       exits with 0 if compressed tables can be read

Checksums are not checked. Compressed parts take one of: Python 3.14, the module `zstandard`, or the
program `zstd`.
"""

import json
import shutil
import struct
import subprocess
import sys
import tempfile

MARK = b"\x89RTB\r\n\x1a\n"
PAGE = 256
SECTION = 24


def decompress(data, dictionary=None):
    try:
        from compression import zstd

        given = zstd.ZstdDict(dictionary, is_raw=True) if dictionary else None
        return zstd.decompress(data, zstd_dict=given)
    except ImportError:
        pass
    try:
        import zstandard

        if dictionary:
            raw = zstandard.ZstdCompressionDict(
                dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT
            )
            decompressor = zstandard.ZstdDecompressor(dict_data=raw)
        else:
            decompressor = zstandard.ZstdDecompressor()
        return decompressor.decompressobj().decompress(data)
    except ImportError:
        pass
    command = ["zstd", "-d", "-c", "-q"]
    with tempfile.NamedTemporaryFile() as file:
        if dictionary:
            file.write(dictionary)
            file.flush()
            command += ["-D", file.name]
        return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def has_zstd():
    for module in ("compression.zstd", "zstandard"):
        try:
            __import__(module)
            return True
        except ImportError:
            pass
    return shutil.which("zstd") is not None


class Record:
    """Reads the fields of a record one behind the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        taken = self.data[self.at : self.at + count]
        assert len(taken) == count, "the record is too short"
        self.at += count
        return taken

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize(form)))[0]

    def u8(self):
        return self.number("B")

    def u16(self):
        return self.number("H")

    def u32(self):
        return self.number("I")

    def u64(self):
        return self.number("Q")

    def bytes(self):
        return self.take(self.u64())

    def list(self, element):
        return [element() for _ in range(self.u64())]


def unpack(data):
    return data[1:] if data[0] == 0 else decompress(data[1:])


class Table:
    def __init__(self, data):
        self.data = data
        assert data[:8] == MARK, "not a tablebase"
        version, length = struct.unpack_from("<IQ", data, 8)
        assert version in (1, 2) and length == len(data)
        self.version = version
        offset, length, _ = struct.unpack_from("<3Q", data, 20)
        self.read_header(unpack(data[offset : offset + length]))
        offset, length, _ = struct.unpack_from("<3Q", data, 44)
        self.dictionary = decompress(data[offset : offset + length]) if length else None
        self.values_at, self.states_at = struct.unpack_from("<2Q", data, 68)

    def read_header(self, data):
        record = Record(data)
        self.game = record.bytes().decode()
        self.parameters = record.bytes().decode()
        self.numbering = record.u32()
        self.tier = record.u32() if self.numbering in (4, 5, 6) else None
        self.len = record.u64()
        self.endless = "draw"
        if record.u32() == 0:
            self.endless = ["first wins", "second wins"][record.u32()]
        self.ply_limit = record.u32() if record.u8() else None
        self.outcomes_only = bool(record.u8())
        self.by_mover = [[record.u64() for _ in range(5)] for _ in range(2)]
        self.distances = record.list(lambda: [record.u32(), record.u64(), record.u64()])
        self.remembered = record.list(lambda: [record.bytes(), record.bytes()])
        self.palette = record.list(record.u16)
        self.filled = bool(record.u8())
        self.block_values = record.u64()
        self.block_states = record.u64()
        self.most, self.points = None, []
        if self.version == 2:
            self.most = record.u16()
            self.points = record.list(lambda: [record.number("h"), record.u64()])
        assert record.at == len(data), "something stands behind the header"

    def block(self, directory, number):
        page = directory + number // PAGE * (PAGE * SECTION + 8)
        at = page + number % PAGE * SECTION
        offset, length, _ = struct.unpack_from("<3Q", self.data, at)
        return self.data[offset : offset + length]

    def values(self):
        """All packed values in order."""
        for block in range((self.len + self.block_values - 1) // self.block_values):
            count = min(self.block_values, self.len - block * self.block_values)
            values = self.values_of(self.block(self.values_at, block), count)
            assert len(values) == count, "a block has another length"
            yield from values

    def values_of(self, block, count):
        """The values of a block in the order of their numbers."""
        stride = 1 << (block[0] >> 4)
        in_block = self.values_in_order_of_block(block, count)
        values, at = [None] * len(in_block), 0
        for column in range(min(stride, len(values))):
            rows = len(range(column, len(values), stride))
            values[column::stride] = in_block[at : at + rows]
            at += rows
        return values

    def values_in_order_of_block(self, block, count):
        layout, data = block[0] & 15, block[1:]
        if layout in (4, 9):
            data = decompress(data, self.dictionary)
        elif layout >= 2 and layout != 7:
            data = decompress(data)
        if layout in (0, 2):
            return struct.unpack("<%dH" % count, data)
        if layout in (1, 3, 4):
            return [self.palette[place] for place in data]
        outcomes = (count + 3) // 4
        if layout in (7, 8, 9):
            assert len(data) == outcomes, "another number of outcomes"
            highest = [data[at // 4] >> (at % 4 * 2) & 3 for at in range(count)]
            return [outcome << 14 if outcome else 1 for outcome in highest]
        assert layout in (5, 6), "a layout that the document does not have"
        width = layout - 4
        form = "B" if width == 1 else "H"
        distances = iter(struct.unpack("<%d%s" % ((len(data) - outcomes) // width, form), data[outcomes:]))
        values = []
        for at in range(count):
            outcome = data[at // 4] >> (at % 4 * 2) & 3
            values.append(outcome << 14 | next(distances) if outcome else 1)
        assert next(distances, None) is None, "too many distances"
        return values

    def worth(self, value):
        """The points and the plies of a value, in a game with points."""
        if value < 0x4000:
            return "endless" if value == 1 else None
        run = 49152 // (2 * self.most + 1)
        at, plies = (value - 0x4000) // run, (value - 0x4000) % run
        points = 0 if at == 2 * self.most else (at // 2 + 1) * (-1 if at % 2 else 1)
        return [points, plies]

    def states(self):
        """The bytes of every state in order; checks the levels above against them."""
        level, first_block, below = self.len, 0, None
        all_states = None
        while True:
            blocks = (level + self.block_states - 1) // self.block_states
            states = []
            for block in range(blocks):
                states += self.states_of(unpack(self.block(self.states_at, first_block + block)))
            assert len(states) == level, "a level has another number of states"
            if below is None:
                all_states = states
            else:
                assert states == below[:: self.block_states], "a level is not of the one below"
            if blocks <= 1:
                return all_states
            first_block, level, below = first_block + blocks, blocks, states

    @staticmethod
    def states_of(data):
        record = Record(data)
        layout = record.u32()
        assert layout in (0, 1, 2)
        if layout == 1:
            ends = record.list(record.u32)
            states = record.bytes()
            starts = [0] + ends[:-1]
            return [states[start:end] for start, end in zip(starts, ends)]
        width = record.u32()
        states = record.bytes()
        if layout == 0:
            return [states[at : at + width] for at in range(0, len(states), width)]
        found, number, step, shift = [], 0, 0, 0
        for byte in states:
            step |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                number += step
                found.append(number.to_bytes(width, "little"))
                step, shift = 0, 0
        return found


def main():
    if sys.argv[1] == "--has-zstd":
        sys.exit(0 if has_zstd() else 1)
    with open(sys.argv[1], "rb") as file:
        table = Table(file.read())
    values, total = [], 0
    for number, value in enumerate(table.values()):
        total = (total + (number + 1) * value) % 2**64
        if number < 1000:
            values.append(value)
    states = table.states() if table.states_at else []
    print(
        json.dumps(
            {
                "game": table.game,
                "parameters": json.loads(table.parameters),
                "numbering": table.numbering,
                "tier": table.tier,
                "len": table.len,
                "endless": table.endless,
                "ply_limit": table.ply_limit,
                "by_mover": table.by_mover,
                "distances": table.distances,
                "most": table.most,
                "points": table.points,
                "worth": [table.worth(value) for value in values] if table.most is not None else None,
                "outcomes_only": table.outcomes_only,
                "filled": table.filled,
                "dictionary": table.dictionary is not None,
                "sum": total,
                "values": values,
                "states": [state.hex() for state in states[:1000]],
            }
        )
    )


main()
