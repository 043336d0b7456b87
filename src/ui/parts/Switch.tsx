// A switch with its label inside. Where it can't be used it stays reachable, and the reason stands beside it.

import { useId } from 'react';

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  onChange(checked: boolean): void;
  /** Why it can't be used now, in words; undefined: it can. */
  readonly disabledReason?: string | undefined;
  readonly help?: string | undefined;
}

export function Switch({ label, checked, onChange, disabledReason, help }: SwitchProps) {
  const reasonId = useId();
  const disabled = disabledReason !== undefined;
  return (
    <span className="with-reason">
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={checked}
        aria-disabled={disabled || undefined}
        aria-describedby={disabled ? reasonId : undefined}
        title={disabled ? undefined : help}
        onClick={() => !disabled && onChange(!checked)}
      >
        <span className="pill" aria-hidden="true" />
        {label}
      </button>
      {disabled && (
        <span className="reason" id={reasonId}>
          {disabledReason}
        </span>
      )}
    </span>
  );
}
