// Whether there is room for one screen only; the same width as `phone:` in the styles.
export const isPhone = (): boolean => matchMedia("(width < 48rem)").matches;
