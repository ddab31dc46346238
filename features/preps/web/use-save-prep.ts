import { message } from '@headwater/web-kit'
import type { DataPrepDefinition, DataPrepDetails } from '../contract/index.ts'
import { usePrepCalls } from './preps-client.ts'

/** What a data prep is saved for. `edit` saves a new version; with another name or group it renames or moves. */
export type SavePurpose = 'create' | 'copy' | 'edit'

/** The one way by which data preps are saved: new ones, copies, changes, new names and new groups. */
export function useSavePrep() {
  const calls = usePrepCalls()
  /**
   * @param edited the stored data prep that an edit began with
   * @param force saves over versions that others have saved meanwhile
   * @returns what is stored now; throws what the server refuses
   */
  return async function save(
    purpose: SavePurpose,
    definition: DataPrepDefinition,
    edited?: Pick<DataPrepDetails, 'id' | 'version' | 'outputGroup'>,
    { force = false } = {},
  ): Promise<DataPrepDetails> {
    const trimmed = {
      ...definition,
      name: definition.name.trim(),
      outputGroup: definition.outputGroup.trim(),
    }
    if (purpose !== 'edit' || edited === undefined) {
      const created = await calls.create(trimmed)
      message('New Data prep has been created.')
      return created
    }
    const version = force ? await calls.newestVersion(edited.id) : edited.version
    const saved = await calls.update(edited.id, { ...trimmed, version })
    message(
      saved.outputGroup === edited.outputGroup
        ? 'Data prep has been saved.'
        : 'Data prep has been moved to the new group.',
    )
    return saved
  }
}
