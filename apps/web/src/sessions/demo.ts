// Whether the offline demo model answers, which a newcomer must be told.
export const isDemo = (model: { provider: string }): boolean => model.provider === "demo";
