// Whether there is room for one screen only; the same width as `phone:` in the styles.
const phone = matchMedia("(width < 48rem)");

export const isPhone = (): boolean => phone.matches;
