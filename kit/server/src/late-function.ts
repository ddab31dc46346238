/** A function that an earlier feature calls and a later feature defines. */
export interface LateFunction<Args extends readonly unknown[], Result> {
  /** Calls the function; throws before it is defined. */
  call(this: void, ...args: Args): Result
  /** Sets the function. Called once, while the server is composed. */
  define(body: (...args: Args) => Result): void
}

/**
 * Creates a function that is defined later.
 * @param name name of the function, for error messages
 */
export function createLateFunction<Args extends readonly unknown[], Result>(
  name: string,
): LateFunction<Args, Result> {
  let body: ((...args: Args) => Result) | undefined
  return {
    call(...args) {
      if (body === undefined) throw new Error(`The function “${name}” is not defined yet.`)
      return body(...args)
    },
    define(next) {
      if (body !== undefined) throw new Error(`The function “${name}” is defined twice.`)
      body = next
    },
  }
}
