import { packageName } from '../../contract/index.ts'

/** The base set: packages that scripts can import without declaring them, by module name. */
export const basePackages: Readonly<Record<string, string>> = {
  northgravity: 'northgravity',
  generalindex: 'generalindex',
  requests: 'requests',
  urllib3: 'urllib3',
  certifi: 'certifi',
  charset_normalizer: 'charset-normalizer',
  idna: 'idna',
  deprecated: 'deprecated',
  wrapt: 'wrapt',
  pytz: 'pytz',
  numpy: 'numpy',
  pandas: 'pandas',
}

/** Returns the base packages that a script imports. Imports with computed names are not detected. */
export function importedBasePackages(script: string): string[] {
  const imported = new Set<string>()
  for (const [, from, list] of script.matchAll(
    /(?:^|[:;])[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([^\n#;]+))/gm,
  )) {
    const modules = from === undefined ? list!.split(',').map((each) => /^\s*(\w+)/.exec(each)?.[1]) : [from]
    for (const module of modules) {
      const name =
        module !== undefined && Object.hasOwn(basePackages, module) ? basePackages[module] : undefined
      if (name !== undefined) imported.add(name)
    }
  }
  return [...imported].toSorted()
}

/**
 * Returns the known package that provides the missing module in an ImportError message; undefined for other messages and
 * unknown modules.
 * @param declared names of the packages that the task requires
 */
export function missingPackage(message: string, declared: readonly string[]): string | undefined {
  const module = /^No module named '(\w+)[.\w]*'/.exec(message)?.[1]
  if (module === undefined) return undefined
  if (Object.hasOwn(basePackages, module)) return basePackages[module]
  return declared.map(packageName).find((name) => name === packageName(module))
}
