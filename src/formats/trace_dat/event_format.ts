// The text that a kernel gives for each event: which field stands where in the record. Nothing about any event is
// known beforehand: fields move between kernel versions and architectures.

/** How the bytes of a field are to be read. */
type FieldShape = 'number' | 'array' | 'dataLoc' | 'relLoc' | 'rest';

export interface EventField {
  readonly name: string;
  /** The declaration as the kernel writes it, `pid_t prev_pid`. */
  readonly declaration: string;
  /** From the record's first byte. */
  readonly offset: number;
  /** In bytes; 0 for a field that takes the rest of the record. */
  readonly bytes: number;
  readonly signed: boolean;
  readonly shape: FieldShape;
}

export interface EventFormat {
  readonly system: string;
  readonly name: string;
  /** The number by which records name their event. */
  readonly id: number;
  readonly fields: readonly EventField[];
  /** A record of this event is at least so long. */
  readonly leastBytes: number;
}

function numberAfter(part: string | undefined, key: string): number | undefined {
  if (part === undefined) return undefined;
  const text = part.trim();
  if (!text.startsWith(key)) return undefined;
  const value = Number(text.slice(key.length));
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function shapeOf(declaration: string, bytes: number): FieldShape {
  if (declaration.startsWith('__data_loc ')) return 'dataLoc';
  if (declaration.startsWith('__rel_loc ')) return 'relLoc';
  if (!declaration.endsWith(']')) return 'number';
  return bytes === 0 ? 'rest' : 'array';
}

/** One line `field:pid_t prev_pid; offset:24; size:4; signed:1;`, or undefined if it is none. */
function parseFieldLine(line: string): EventField | undefined {
  const text = line.trim();
  if (!text.startsWith('field:')) return undefined;
  const parts = text.slice('field:'.length).split(';', 4);
  const declaration = (parts[0] ?? '').trim();
  const offset = numberAfter(parts[1], 'offset:');
  const bytes = numberAfter(parts[2], 'size:');
  if (offset === undefined || bytes === undefined) return undefined;
  const shape = shapeOf(declaration, bytes);
  // `char comm[16]`, but `__data_loc char[] name`: there the brackets belong to the type.
  const bracket = shape === 'array' || shape === 'rest' ? declaration.indexOf('[') : -1;
  const bare = (bracket < 0 ? declaration : declaration.slice(0, bracket)).trim();
  const name = bare.slice(Math.max(bare.lastIndexOf(' '), bare.lastIndexOf('*')) + 1);
  if (name === '') return undefined;
  // Kernels before 2.6.33 do not say whether a field is signed.
  const signed = numberAfter(parts[3], 'signed:') ?? (/unsigned|^u\d/.test(declaration) ? 0 : 1);
  return { name, declaration, offset, bytes, signed: signed === 1, shape };
}

/** All field lines of a text (`header_page` too, which has neither name nor number). */
export function parseFields(text: string): EventField[] {
  const fields: EventField[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('print fmt:')) break;
    const field = parseFieldLine(line);
    if (field !== undefined) fields.push(field);
  }
  return fields;
}

/** The format of one event, or undefined where its name, number or fields are missing. */
export function parseEventFormat(system: string, text: string): EventFormat | undefined {
  let name: string | undefined;
  let id: number | undefined;
  for (const line of text.split('\n', 8)) {
    if (line.startsWith('name:')) name = line.slice('name:'.length).trim();
    else id ??= numberAfter(line, 'ID:');
  }
  const fields = parseFields(text);
  if (name === undefined || name === '' || id === undefined || fields.length === 0) return undefined;
  let leastBytes = 0;
  for (const field of fields) leastBytes = Math.max(leastBytes, field.offset + field.bytes);
  return { system, name, id, fields, leastBytes };
}
