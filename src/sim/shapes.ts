// The engine of JavaScript keeps one hidden shape for all objects of one kind, with a representation for each field: small
// integer, double, reference. Code is compiled for a shape; a field that begins as 0 and one day holds 3 s in ns gives all
// objects another shape, and the code is thrown away. So each kind is shown here, before the first run, what its fields
// will hold.

/** Fields that hold large numbers or fractions besides those whose names end in `Ns`. */
const WIDE: ReadonlySet<string> = new Set([
  'vruntime',
  'deadline',
  'vlag',
  'vprot',
  'minVruntime',
  'avgVruntime',
  'value',
  'waitKey',
  'x',
  'y',
  'averageTries',
]);

/** Stores a double in every number that can become one, and an object in every empty field, then what was there. O(fields). */
export function showFields(model: object): void {
  const fields = model as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (typeof value === 'number' && (name.endsWith('Ns') || WIDE.has(name))) fields[name] = 0.5;
    else if (value === undefined) fields[name] = name.endsWith('Ns') ? 1 : {};
    else continue;
    fields[name] = value;
  }
}
