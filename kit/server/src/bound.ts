/** Type of a function without its first parameter, which contains the dependencies. */
export type Bound<F> = F extends (deps: never, ...rest: infer R) => infer Result
  ? (...rest: R) => Result
  : never
