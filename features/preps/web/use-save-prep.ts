import { message } from '@headwater/web-kit'
import type { DataPrepDefinition, DataPrepDetails } from '../contract/index.ts'
import { usePrepCalls } from './preps-client.ts'

/** Purpose of a save. `edit` saves a new version, and renames or moves the data prep if the name or group differs. */
export type SavePurpose = 'create' | 'copy' | 'edit'

/** Returns the function for all saves of data preps: new ones, copies, changes, renames and moves. */
export function useSavePrep() {
  const calls = usePrepCalls()
  /**
   * @param edited stored data prep that the edit is based on
   * @param force overwrites newer versions of other users
   * @returns the saved data prep; throws errors of the server
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
    const version = force ? (await calls.newest(edited.id)).version : edited.version
    const saved = await calls.update(edited.id, { ...trimmed, version })
    message(
      saved.outputGroup === edited.outputGroup
        ? 'Data prep has been saved.'
        : 'Data prep has been moved to the new group.',
    )
    return saved
  }
}
