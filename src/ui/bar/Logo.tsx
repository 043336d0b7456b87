// The mark: three lanes, one of them spinning.

export function Logo() {
  return (
    <h1 className="logo">
      <svg viewBox="0 0 26 20" width="26" height="20" aria-hidden="true">
        <defs>
          <pattern id="logo-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="2.4" height="5" fill="var(--spin)" />
          </pattern>
        </defs>
        <rect x="1" y="1" width="9" height="5" rx="1" fill="var(--run)" />
        <rect x="12" y="1" width="13" height="5" rx="1" fill="url(#logo-hatch)" />
        <rect x="1" y="7.5" width="4" height="5" rx="1" fill="var(--run)" />
        <rect x="7" y="7.5" width="18" height="5" rx="1" fill="url(#logo-hatch)" />
        <rect x="1.7" y="14.7" width="13.6" height="3.6" rx="1" fill="none" stroke="var(--wait)" strokeWidth="1.4" />
        <rect x="17.5" y="14" width="7.5" height="5" rx="1" fill="url(#logo-hatch)" />
      </svg>
      <span className="word">Spinlane</span>
    </h1>
  );
}
