/** Permission that every route of signed-in users needs. Changes also need the permission for the kind of the insight. */
export const readInsights = { resource: 'Insight', mode: 'R' } as const
