// A spinbutton. What is typed counts as soon as it is a number within bounds; anything else is kept for the typist
// and goes when the field is left.

import { type CSSProperties, useState } from 'react';

interface NumberFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: number;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | 'any';
  readonly unit?: string | undefined;
  readonly narrow?: boolean;
  onChange(value: number): void;
}

export function NumberField({
  label,
  hideLabel = false,
  value,
  min,
  max,
  step = 1,
  unit,
  narrow = false,
  onChange,
}: NumberFieldProps) {
  const [typed, setTyped] = useState<string>();
  const invalid = typed !== undefined && numberIn(typed, min, max, step) === undefined;

  function take(text: string): void {
    setTyped(text);
    const number = numberIn(text, min, max, step);
    if (number !== undefined && number !== value) onChange(number);
  }

  return (
    <span className="field">
      {!hideLabel && (
        <span className="caption" aria-hidden="true">
          {label}
        </span>
      )}
      <span
        className={narrow ? 'number narrow' : 'number'}
        style={{ '--digits': String(typed ?? value).length } as CSSProperties}
      >
        <input
          type="number"
          inputMode="decimal"
          aria-label={label}
          aria-invalid={invalid || undefined}
          value={typed ?? value}
          min={min}
          max={max}
          step={step}
          onChange={(event) => take(event.target.value)}
          onBlur={() => setTyped(undefined)}
          onKeyDown={(event) => event.key === 'Enter' && setTyped(undefined)}
        />
        {unit !== undefined && (
          <span className="unit" aria-hidden="true">
            {unit}
          </span>
        )}
      </span>
    </span>
  );
}

function numberIn(
  text: string,
  min: number | undefined,
  max: number | undefined,
  step: number | 'any',
): number | undefined {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return undefined;
  if (number < (min ?? Number.NEGATIVE_INFINITY) || number > (max ?? Number.POSITIVE_INFINITY)) return undefined;
  return step === 'any' || Number.isInteger(number) ? number : undefined;
}
