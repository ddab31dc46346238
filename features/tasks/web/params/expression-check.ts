/** Delay after the last change before an expression is checked, in milliseconds. */
const checkDelayMs = 500
/** Time after which a check without a response counts as failed, in milliseconds. */
const replyTimeoutMs = 10_000

/** Result of the check of an expression. */
export interface ExpressionResult {
  /** The value as a string, or ERROR. */
  response: string
  /** The error, or a note that the value is known only in a run; otherwise empty. */
  message: string
}

/** Checks an expression after the last change. */
export interface ExpressionCheck {
  /** Schedules a check of the changed expression and drops an unfinished earlier check. */
  change(value: string): void
  /** Drops the check. */
  stop(): void
}

/** Creates the check. `show` receives the result, or undefined until the response arrives. */
export function createExpressionCheck(
  send: (value: string, signal: AbortSignal) => Promise<ExpressionResult>,
  show: (result: ExpressionResult | undefined) => void,
): ExpressionCheck {
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: AbortController | undefined

  function stop() {
    clearTimeout(timer)
    current?.abort()
    current = undefined
  }

  async function check(value: string) {
    const own = new AbortController()
    current = own
    let late: ReturnType<typeof setTimeout> | undefined
    const noReply = new Promise<never>((_, reject) => {
      late = setTimeout(() => {
        own.abort()
        reject(new Error('no response'))
      }, replyTimeoutMs)
    })
    try {
      const result = await Promise.race([send(value, own.signal), noReply])
      if (current === own) show(result)
    } catch {
      if (current === own) show({ response: 'ERROR', message: 'The server did not check the expression.' })
    } finally {
      clearTimeout(late)
    }
  }

  return {
    change(value) {
      stop()
      show(undefined)
      if (value.trim() !== '') timer = setTimeout(() => void check(value), checkDelayMs)
    },
    stop,
  }
}
