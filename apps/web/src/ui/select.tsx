// A native list of choices in the dress of our fields: the system's own list is the best one on a phone.
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { controlClass } from "./field.tsx";

export function Select(props: Omit<ComponentProps<"select">, "className">) {
  return (
    <div className="relative">
      <select {...props} className={`${controlClass} appearance-none pr-9`} />
      <ChevronDown
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-faint"
      />
    </div>
  );
}
