// The same files always make the same zip: entries sorted by name, with one fixed time and mode. Otherwise a zip depends on
// when it was made, and on the umask, time zone and language. They are also compressed as much as possible.
import { deflateRawSync, inflateRawSync } from "node:zlib";

const LOCAL_LENGTH = 30;
const CENTRAL_LENGTH = 46;
/** 1 January 1980, the earliest date in a zip. */
const EPOCH = { time: 0, date: 0x0021 };
/** A regular file, writable by its owner and readable by everyone. */
const MODE = (0o100644 << 16) >>> 0;
const DEFLATED = 8;
/** The sizes follow the content. */
const HAS_DESCRIPTOR = 1 << 3;

/** @param {Buffer} zip without zip64 and without a comment, as yazl writes it */
export function entriesOf(zip) {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const entries = [];
  let at = zip.readUInt32LE(end + 16);
  const directory = at;
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map(field => zip.readUInt16LE(at + field));
    const central = zip.subarray(at, at + CENTRAL_LENGTH + name + extra + comment);
    const text = central.toString("utf8", CENTRAL_LENGTH, CENTRAL_LENGTH + name);
    entries.push({ name: text, central, offset: central.readUInt32LE(42) });
    at += central.length;
  }
  // An entry's bytes extend to the next entry: header, content, sizes.
  const ends = [...entries.map(entry => entry.offset), directory].sort((left, right) => left - right);
  return entries.map(entry => ({ ...entry, local: zip.subarray(entry.offset, ends[ends.indexOf(entry.offset) + 1]) }));
}

/** @param {Buffer} zip */
export function evenZip(zip) {
  const end = Buffer.from(zip.subarray(zip.lastIndexOf("PK\x05\x06", undefined, "latin1")));
  const locals = [];
  const centrals = [];
  let offset = 0;
  for (const entry of entriesOf(zip).sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const central = Buffer.from(entry.central);
    const local = repacked(entry.local, central);
    for (const [header, at] of [
      [local, 10],
      [central, 12],
    ]) {
      header.writeUInt16LE(EPOCH.time, at);
      header.writeUInt16LE(EPOCH.date, at + 2);
    }
    central.writeUInt32LE(MODE, 38);
    central.writeUInt32LE(offset, 42);
    offset += local.length;
    locals.push(local);
    centrals.push(central);
  }
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...centrals, end]);
}

/** An entry's own bytes, with its sizes in their header. `central`: its record, which is changed accordingly. */
function repacked(local, central) {
  const start = LOCAL_LENGTH + local.readUInt16LE(26) + local.readUInt16LE(28);
  const given = local.subarray(start, start + central.readUInt32LE(20));
  const isDeflated = central.readUInt16LE(10) === DEFLATED;
  const content = isDeflated ? deflateRawSync(inflateRawSync(given), { level: 9, memLevel: 9 }) : given;
  central.writeUInt32LE(content.length, 20);
  central.writeUInt16LE(central.readUInt16LE(8) & ~HAS_DESCRIPTOR, 8);
  const header = Buffer.from(local.subarray(0, start));
  // The flags, and what the record has of the content: its checksum and its sizes.
  central.copy(header, 6, 8, 10);
  central.copy(header, 14, 16, 28);
  return Buffer.concat([header, content]);
}
