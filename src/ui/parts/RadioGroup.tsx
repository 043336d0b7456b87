// One of several, drawn as a bar of segments. Native radios lie over the words, so arrows and Tab work as everywhere.

import { type ReactNode, useId } from 'react';

export interface RadioOption<T extends string> {
  readonly value: T;
  readonly label: string;
  /** What is seen where the label takes too much room; a part of the label, so that people who speak to the page find it. */
  readonly shown?: string | undefined;
  readonly disabled?: boolean;
  readonly title?: string | undefined;
  /** Stands in the segment beside the label, such as a field. */
  readonly beside?: ReactNode;
}

interface RadioGroupProps<T extends string> {
  readonly label: string;
  /** The label is for screen readers alone. */
  readonly hideLabel?: boolean;
  /** What is seen instead of the label; begins with it. */
  readonly caption?: string;
  readonly value: T | undefined;
  readonly options: readonly RadioOption<T>[];
  onChange(value: T): void;
}

export function RadioGroup<T extends string>({
  label,
  hideLabel = false,
  caption = label,
  value,
  options,
  onChange,
}: RadioGroupProps<T>) {
  const name = useId();
  return (
    <div className="choice" role="radiogroup" aria-label={label}>
      {!hideLabel && (
        <span className="caption" aria-hidden="true">
          {caption}
        </span>
      )}
      <div
        className={options.every((option) => option.label.length < 3) ? 'segments digits' : 'segments'}
        role="presentation"
      >
        {options.map((option) => (
          <span key={option.value} className="segment" title={option.title}>
            <span className="segment-option">
              <input
                type="radio"
                name={name}
                aria-label={option.label}
                checked={option.value === value}
                disabled={option.disabled}
                onChange={() => onChange(option.value)}
              />
              <span aria-hidden="true">{option.shown ?? option.label}</span>
            </span>
            {option.beside}
          </span>
        ))}
      </div>
    </div>
  );
}
