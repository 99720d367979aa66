// Leads from the approvals of a session to what is always allowed.
import { ShieldCheck } from "lucide-react";
import { showOverlay } from "../../navigation/overlay.ts";
import { MenuItem, MenuLine } from "../../ui/menu/menu.tsx";
import { permissionsTexts as texts } from "./texts.ts";

export const PermissionsMenuItem = () => (
  <>
    <MenuLine />
    <MenuItem icon={<ShieldCheck size={14} />} onSelect={() => showOverlay("permissions")}>
      {texts.open}
    </MenuItem>
  </>
);
