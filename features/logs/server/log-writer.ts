import type { Clock } from '@headwater/server-kit'
import type { NewLine } from './chunk-body.ts'
import { parseLine, type OutputStream } from './parse-line.ts'
import type { LogLimits, LogSource, LogsStore } from './logs-store.ts'

/** Maximum time that a line waits to be written together with later lines, in ms. */
const flushMs = 250
/** The same for the first lines of a step, which are often the only ones. They are stored before the step ends. */
const firstFlushMs = 2
/** Maximum number of lines per chunk. */
const chunkLines = 1000
/** Maximum number of characters per chunk, not counting its last line. */
const chunkCharacters = 256_000
/** Pauses between attempts to store a chunk. */
const retryPausesMs = [200, 1000, 3000]
/** Times of log records that differ more than this from the current time are ignored: they are wrong or unrelated to the run. */
const maxClockSkewMs = 86_400_000

/** Writes the lines of one step. */
export interface LogWriter {
  /** Adds a line without its line break. The caller has already redacted secrets. */
  write(line: string, stream: OutputStream): void
  /** Stores the remaining lines. Never throws. If lines cannot be stored, reports this in the server log. */
  end(): Promise<void>
}

/** Dependencies of a writer. */
export interface LogWriterDependencies {
  /** Stores the lines. */
  store: Pick<LogsStore, 'append'>
  /** Limits of the log of a job. */
  limits: LogLimits
  /** Provides the time of lines that contain none. */
  clock: Clock
  /** Reports lines that cannot be stored. */
  warn: (message: string, error: unknown) => void
}

/** Creates the writer of a step. It stores lines in batches, within 250 ms. */
export function createLogWriter(deps: LogWriterDependencies, source: LogSource): LogWriter {
  const { store, limits, clock, warn } = deps
  let pending: NewLine[] = []
  let characters = 0
  let timer: NodeJS.Timeout | undefined
  let storing = Promise.resolve()
  let isClosed = false
  let hasFlushed = false

  function add(line: NewLine): void {
    pending.push(line)
    characters += line.text.length
    if (pending.length >= chunkLines || characters >= chunkCharacters) flush()
    else timer ??= setTimeout(flush, hasFlushed ? flushMs : firstFlushMs)
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (pending.length === 0) return
    hasFlushed = true
    const lines = pending
    pending = []
    characters = 0
    storing = storing.then(() => storeLines(lines))
  }

  async function storeLines(lines: readonly NewLine[]): Promise<void> {
    for (const pauseMs of [...retryPausesMs, undefined]) {
      if (isClosed) return
      try {
        isClosed = (await store.append(source, lines, limits)) === 'closed'
        return
      } catch (error) {
        if (pauseMs === undefined) warn(`${lines.length} log lines of job ${source.jobId} are lost.`, error)
        else await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }

  return {
    write(line, stream) {
      if (isClosed) return
      const nowMs = clock.now().getTime()
      const { level, text, timeMs = nowMs } = parseLine(line, stream)
      const isNear = Math.abs(timeMs - nowMs) < maxClockSkewMs
      // The message of a log record can span several lines.
      for (const part of text.split('\n'))
        add({ level, text: withVisibleControls(part), timeMs: isNear ? timeMs : nowMs })
    },
    async end() {
      flush()
      await storing
    },
  }
}

/**
 * Replaces control characters with symbols, such as ␛ for an escape. In a terminal they could hide log lines or change the
 * window title.
 */
function withVisibleControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t]/gu, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '␡' : '�'
  })
}
