// A place holder of the right height for what is still on its way.
export const Skeleton = ({ className }: { className: string }) => (
  <div aria-hidden className={`animate-skeleton rounded-sm bg-hover ${className}`} />
);
