export const Logo = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden style={{ flex: 'none' }}>
    <rect width="32" height="32" rx="7" fill="var(--mantine-primary-color-6)" />
    <path d="M9 23V12a3 3 0 0 1 6 0v8a3 3 0 0 0 6 0V9" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
    <circle cx="9" cy="23.5" r="2.4" fill="#fff" />
    <circle cx="21" cy="8.5" r="2.4" fill="#fff" />
  </svg>
);
