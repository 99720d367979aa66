// On a phone every screen but the list has the way back to it.
import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { navigationTexts } from "./texts.ts";

export const BackToList = () => (
  <Link
    href="/"
    aria-label={navigationTexts.back}
    className="hidden size-11 shrink-0 items-center justify-center rounded-md text-muted phone:flex"
  >
    <ArrowLeft size={18} aria-hidden />
  </Link>
);
