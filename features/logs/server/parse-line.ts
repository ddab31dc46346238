import { parseJson } from '@headwater/contract'
import { findLevel, type LogLevel } from '../contract/index.ts'

/** A line with the level and time that it contains. */
export interface ParsedLine {
  /** Level of the line. */
  level: LogLevel
  /** Text without level and time. */
  text: string
  /** Time of the log record, epoch milliseconds; undefined if the line has none. */
  timeMs: number | undefined
}

/** Output streams of a script. */
export type OutputStream = 'stdout' | 'stderr'

const levelNames = 'TRACE|DEBUG|NOTICE|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL'
/** `%(asctime)s - %(name)s - %(levelname)s - %(message)s`, the format of the client library generalindex. */
const dashedRecord = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?) - (.{1,200}?) - (${levelNames}) - (.*)$`,
)
/** The default format of the Python module logging, which the client library northgravity also uses. */
const colonRecord = new RegExp(`^(${levelNames}):([^:\\s]{1,200}):(.*)$`)
/** A warning from the Python module warnings, for example `script.py:3: UserWarning: late`. */
const pythonWarning = /^\S.{0,300}:\d+: \w*Warning: /

/**
 * Parses a line. Log records of the client libraries, of Python and in JSON contain a level. Other lines are INFO on standard
 * output; on standard error, Python warnings are WARN and all others ERROR.
 */
export function parseLine(line: string, stream: OutputStream): ParsedLine {
  return (
    parseJsonRecord(line) ??
    parseTextRecord(line) ?? {
      level: stream === 'stdout' ? 'INFO' : pythonWarning.test(line) ? 'WARN' : 'ERROR',
      text: line,
      timeMs: undefined,
    }
  )
}

function parseTextRecord(line: string): ParsedLine | undefined {
  const dashed = dashedRecord.exec(line)
  if (dashed !== null) {
    const [, time = '', logger, level = '', message] = dashed
    return { level: findLevel(level)!, text: `${logger}: ${message}`, timeMs: parseTime(time) }
  }
  const colon = colonRecord.exec(line)
  if (colon === null) return undefined
  const [, level = '', logger, message] = colon
  return { level: findLevel(level)!, text: `${logger}: ${message}`, timeMs: undefined }
}

/**
 * Parses a structured record of the client libraries. The job and step that it contains are ignored; those of the run apply.
 */
function parseJsonRecord(line: string): ParsedLine | undefined {
  if (!line.startsWith('{') || !line.endsWith('}') || !line.includes('"level')) return undefined
  const record = parseJson(line)
  if (record === undefined) return undefined
  const { level: name, levelname, message, msg, time } = record as Record<string, unknown>
  const level = findLevel(String(name ?? levelname))
  const text = message ?? msg
  if (level === undefined || typeof text !== 'string') return undefined
  return { level, text, timeMs: typeof time === 'string' ? parseTime(time) : undefined }
}

/** Parses the time of a log record. A time without a zone is in UTC, the zone of scripts. */
function parseTime(text: string): number | undefined {
  const iso = text.replace(' ', 'T').replace(',', '.')
  const ms = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
