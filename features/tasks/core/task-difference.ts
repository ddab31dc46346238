import type { Task, TaskParam } from '../contract/index.ts'
import { valueTypeLabels } from './value-types.ts'

/** Fields of a task version that a comparison uses. */
export type ComparedTask = Pick<
  Task,
  | 'name'
  | 'groupName'
  | 'readableName'
  | 'description'
  | 'definitionName'
  | 'timeout'
  | 'memory'
  | 'isPaused'
  | 'requirements'
  | 'lockedPackages'
  | 'params'
>

/** A setting that differs between two versions of a task. */
export interface SettingChange {
  /** Label of the setting or name of the parameter. */
  label: string
  /** Earlier value; undefined if the parameter is new. */
  before: string | undefined
  /** Later value; undefined if the parameter was removed. */
  after: string | undefined
}

/** A script that differs between two versions of a task. */
export interface ScriptChange {
  /** Name of the parameter. */
  name: string
  /** Earlier script; empty if there was none. */
  before: string
  /** Later script; empty if there is none. */
  after: string
}

const settings: readonly [label: string, read: (task: ComparedTask) => string][] = [
  ['Name', ({ name }) => name],
  ['Group', ({ groupName }) => groupName],
  ['Display name', ({ readableName }) => readableName],
  ['Description', ({ description }) => description],
  ['Kind', ({ definitionName }) => definitionName],
  ['Timeout', ({ timeout }) => `${timeout} s`],
  ['Memory', ({ memory }) => `${memory} MiB`],
  ['Require approval', ({ isPaused }) => (isPaused ? 'Yes' : 'No')],
  ['Packages', ({ requirements }) => requirements.map(packageText).join(', ')],
  ['Locked packages', ({ lockedPackages }) => lockedPackages.map(packageText).join(', ')],
]

/**
 * Returns the settings, parameters and scripts that differ between two versions of a task. Parameters are matched by direction
 * and name.
 */
export function taskDifference(
  before: ComparedTask,
  after: ComparedTask,
): { settings: SettingChange[]; scripts: ScriptChange[] } {
  const [old, now] = [paramsOf(before), paramsOf(after)]
  const keys = [...new Set([...now.keys(), ...old.keys()])]
  const changes: SettingChange[] = settings.map(([label, read]) => ({
    label,
    before: read(before),
    after: read(after),
  }))
  const scripts: ScriptChange[] = []
  for (const key of keys) {
    const [was, is] = [old.get(key), now.get(key)]
    const { name, type } = (is ?? was)!
    const [wasScript, isScript] = [scriptOf(was), scriptOf(is)]
    if (wasScript !== undefined || isScript !== undefined)
      scripts.push({ name, before: wasScript ?? '', after: isScript ?? '' })
    changes.push({
      label: `${type === 'INPUT' ? 'Input' : 'Output'} ${name}`,
      before: was && paramText(was),
      after: is && paramText(is),
    })
  }
  return {
    settings: changes.filter((change) => change.before !== change.after),
    scripts: scripts.filter((script) => script.before !== script.after),
  }
}

function paramsOf({ params }: ComparedTask): Map<string, TaskParam> {
  return new Map(params.map((param) => [`${param.type} ${param.name}`, param]))
}

function scriptOf(param: TaskParam | undefined): string | undefined {
  return param?.valueType === 'SCRIPT' ? param.value : undefined
}

/** Describes a parameter in one line, without the content of a script. */
function paramText(param: TaskParam): string {
  const { valueType, value, defaultValue, optional, dynamic, description, choices = [], condition } = param
  const facts = [
    valueTypeLabels[valueType],
    optional ? 'optional' : '',
    dynamic ? 'from another task' : '',
    valueType === 'SCRIPT' || value === ''
      ? ''
      : `${param.mode === 'expression' ? 'expression' : 'value'} ${value}`,
    defaultValue === '' ? '' : `default ${defaultValue}`,
    choices.length === 0 ? '' : `choices ${choices.join(', ')}`,
    condition === undefined
      ? ''
      : `if ${condition.paramName} ${condition.operator} ${condition.value}`.trim(),
    description,
  ]
  return facts.filter(Boolean).join(' · ')
}

function packageText({ name, version }: { name: string; version?: string | null | undefined }): string {
  return version ? `${name} ${version}` : name
}
