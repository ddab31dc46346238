import { z } from 'zod'

/** Rules for a name. */
export interface NameOptions {
  /** Maximum number of characters. Default 200. */
  max?: number
  /** Forbidden characters besides `/` and `\`. Default: none. */
  refused?: string
  /** Changes the trimmed text before validation, for example removes a file extension. Default: no change. */
  read?: (text: string) => string
}

/**
 * Returns the schema of a name that users choose: trimmed, in Unicode's composed form (NFC), on one line, without
 * slashes and invisible characters, not only dots, and not a Windows device name, because Windows cannot store files with
 * such names.
 * @param thing the kind of object with its article, for example `a group`
 */
export function objectName(
  thing: string,
  { max = 200, refused = '', read = (text) => text }: NameOptions = {},
) {
  const bare = thing.replace(/^an? /, '')
  const names = `${bare.charAt(0).toUpperCase()}${bare.slice(1)} names`
  const missing = `${thing.charAt(0).toUpperCase()}${thing.slice(1)} needs a name.`
  const characters = ['/', '\\', ...Array.from(refused)]
  const listed = `${characters.slice(0, -1).join(', ')} or ${characters.at(-1)}`
  return z
    .string(missing)
    .transform((text) => read(text.trim()).trim().normalize('NFC'))
    .pipe(
      z
        .string()
        .min(1, { error: missing, abort: true })
        .refine(
          (text) => Array.from(text).length <= max,
          `The name of ${thing} can have at most ${max} characters.`,
        )
        .refine(
          (text) => !breakOrControl.test(text),
          `${names} can't contain line breaks or control characters.`,
        )
        .refine(
          (text) => !hasInvisible(text),
          `${names} can't contain invisible characters. Type the name again.`,
        )
        .refine(
          (text) => !characters.some((refusedOne) => text.includes(refusedOne)),
          `${names} can't contain ${listed}.`,
        )
        .refine((text) => !/^\.+$/.test(text), `${names} can't consist of dots only.`)
        .refine(
          (text) => !windowsDevice.test(text),
          `${names} can't be device names of Windows such as CON, NUL or COM1.`,
        ),
    )
}

/**
 * Returns whether text is on one line and has neither control characters nor characters that change the direction of
 * the text around it. For short texts other than object names, such as tags and labels.
 */
export function isPlainLine(text: string): boolean {
  return text.isWellFormed() && !breakOrControl.test(text) && directionProblem(text) === undefined
}

/** Returns an error message if a string contains a character that changes the direction of text, such as U+202E. */
export function directionProblem(text: string): string | undefined {
  const [character] = /\p{Bidi_Control}/u.exec(text) ?? []
  if (character === undefined) return undefined
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `The value contains U+${code}, an invisible character that changes the direction of text. Remove it.`
}

/** Error message for a string that does not pass isPlainLine. */
export const notPlainLine = 'Remove line breaks and invisible characters.'

/** Device names, with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\s*\..*)?$/i

const breakOrControl = /[\p{Cc}\p{Zl}\p{Zp}]/u

/**
 * Joiners and variation selectors, which emoji and several scripts need, and tag characters, which flags such as the
 * Scottish one need.
 */
const joining = String.raw`\u200c\u200d\ufe00-\ufe0f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}`

/** Invisible characters and characters that change the direction of text: `invoice\u202excod.exe` looks like `invoiceexe.docx`. */
const unseen = new RegExp(String.raw`[\ufff9-\ufffb]|(?![${joining}])\p{Default_Ignorable_Code_Point}`, 'u')

/** Joiners that have no visible effect here, so that two different names look equal. */
const idleJoining = new RegExp(
  String.raw`(?:^|[\p{Script=Latin}\p{Zs}])[${joining}]|[\u200c\u200d](?:$|[\p{Script=Latin}\p{Zs}])`,
  'u',
)

/** Also matches unpaired surrogates, which the database cannot store. */
function hasInvisible(text: string): boolean {
  return !text.isWellFormed() || unseen.test(text) || idleJoining.test(text)
}
