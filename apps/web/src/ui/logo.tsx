// The mark: two jacks and the cable between them.
export const Logo = ({ size = 18 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden>
    <circle cx="5" cy="5" r="3" className="stroke-faint" strokeWidth="1.6" />
    <circle cx="15" cy="15" r="3" className="stroke-faint" strokeWidth="1.6" />
    <path d="M5 5v4.5c0 3.6 10-.6 10 5.5" className="stroke-fill" strokeWidth="2.2" strokeLinecap="round" />
  </svg>
);
