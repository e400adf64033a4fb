export const INSTALL_CHROMIUM: string;
export const CHROMIUM: string | undefined;
