import { z } from 'zod'

/** A release segment, optional pre-, post- and development releases, and a local label (PEP 440). */
const versionPattern =
  /^v?(\d+!)?\d+(\.\d+)*([-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?(-\d+|[-_.]?(post|rev|r)[-_.]?\d*)?([-_.]?dev[-_.]?\d*)?(\+[a-z0-9]+([-_.][a-z0-9]+)*)?$/i
const namePattern = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i

/** Maximum number of packages that a task can require. */
export const maxRequirements = 50

/** Python package that a task needs. */
export const requirement = z.object({
  name: z
    .string()
    .trim()
    .max(100)
    .regex(
      namePattern,
      'Enter the name of a package, such as pandas. URLs, paths and options are not allowed.',
    )
    .describe('Name of the package, such as `pandas`. URLs, paths and pip options are not allowed.'),
  version: z
    .string()
    .trim()
    .max(100)
    .refine(
      (text) => text === '' || versionPattern.test(text),
      'Enter one exact version, such as 2.2.3, or nothing. Ranges, URLs and options are not allowed.',
    )
    .default('')
    .describe(
      'Exact version, such as `2.2.3`; empty: the newest version at the time of saving. Default: empty.',
    ),
})
/** Python package that a task needs. */
export type Requirement = z.output<typeof requirement>

/** Python packages that a task needs. */
export const requirements = z
  .array(requirement)
  .max(maxRequirements, `A task can require at most ${maxRequirements} packages.`)
  .refine(
    (all) => new Set(all.map(({ name }) => packageName(name))).size === all.length,
    'A package is listed twice.',
  )

/** A package with the version and file that the runs of a task version use. */
export const lockedPackage = z.object({
  name: z.string().describe('Normalised name of the package.'),
  version: z.string().describe('Exact version.'),
  sha256: z.string().describe('SHA-256 of the wheel in hexadecimal digits; empty for a system package.'),
})
/** A package with the version and file that the runs of a task version use. */
export type LockedPackage = z.output<typeof lockedPackage>

/** Returns the normalised name of a package (PEP 503): `Charset_Normalizer` → `charset-normalizer`. */
export function packageName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-')
}
