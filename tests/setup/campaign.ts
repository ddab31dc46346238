declare module 'vitest' {
  interface ProvidedContext {
    /** Size of the campaigns (kills, damage, random queries): `smoke` in `npm test`, `long` in `npm run test:long`. */
    campaign: 'smoke' | 'long'
  }
}

export {}
