import { useState } from 'react'
import { type File, isSeriesFile } from '@headwater/files/contract'
import { fieldErrors } from '@headwater/web-kit'

/** Name, group and type of a file. */
export type FileDetails = Pick<File, 'fileName' | 'groupName' | 'fileType'>

/** A field of the details. */
export type DetailsField = keyof FileDetails

/** State of the details of an open file. */
export interface DetailsState {
  /** The current values. */
  details: FileDetails
  /** The name at the beginning: that of the stored file, or the suggestion for a new one. */
  suggestedName: string
  /** Whether the user can change them. */
  isEditable: boolean
  /** Whether name, group or type differ from those of the file. */
  isChanged: boolean
  /** Error of each field. */
  errors: Partial<Record<DetailsField, string | undefined>>
  /** Makes the fields editable, or restores and locks them. */
  setEditable: (editable: boolean) => void
  /** Changes a field; its error disappears. */
  set: (field: DetailsField, value: string) => void
  /** Checks the fields that the user can edit and shows their errors. Returns whether all are valid. */
  validate: () => boolean
  /** Shows the errors of a failed save at their fields. Returns whether there were field errors. */
  showErrors: (error: unknown) => boolean
}

const missing: Record<DetailsField, string> = {
  fileName: 'Enter a name.',
  groupName: 'Choose a group.',
  fileType: 'Choose a type.',
}

/**
 * Manages name, group and type while a file is open.
 * @param stored values of the file; for a new file they are suggestions
 * @param isNew whether the file does not exist yet: its details are editable from the start
 */
export function useFileDetails(stored: FileDetails, isNew: boolean): DetailsState {
  const [details, setDetails] = useState<FileDetails>(stored)
  const [isEditable, setEditable] = useState(isNew)
  const [errors, setErrors] = useState<DetailsState['errors']>({})
  const fields = Object.keys(missing) as DetailsField[]
  return {
    details,
    suggestedName: stored.fileName,
    isEditable,
    isChanged: fields.some((field) => details[field] !== stored[field]),
    errors,
    setEditable(editable) {
      setEditable(editable)
      setErrors({})
      if (!editable) setDetails(stored)
    },
    set(field, value) {
      setDetails((before) => ({ ...before, [field]: value }))
      setErrors((before) => ({ ...before, [field]: undefined }))
    },
    validate() {
      if (!isEditable) return true
      const problems = Object.fromEntries(
        fields.filter((field) => isEmpty(field, details)).map((field) => [field, missing[field]]),
      )
      setErrors(problems)
      return Object.keys(problems).length === 0
    },
    showErrors(error) {
      const problems = fieldErrors(error)
      const own = Object.fromEntries(
        fields.flatMap((field) => (problems[field] === undefined ? [] : [[field, problems[field]]])),
      )
      setErrors(own)
      if (Object.keys(own).length === 0) return false
      setEditable(true)
      return true
    },
  }
}

/** Returns whether a field has no value. A name that consists only of an extension counts as empty. */
function isEmpty(field: DetailsField, details: FileDetails): boolean {
  const value = details[field].trim()
  return value === '' || (field === 'fileName' && /^\.[^.]*$/.test(value))
}

/** The types that a text can have. They exclude series files, because these are ingested from rows. */
export function canBecome(fileType: string, extension: string): boolean {
  return !isSeriesFile(fileType) || extension === 'csv' || extension === 'ncsv'
}

/** Returns whether a save with these details creates a new file instead of a new version of a file. */
export function savesNewFile(
  details: Pick<FileDetails, 'fileName' | 'groupName'>,
  file: Pick<File, 'fileName' | 'groupName'>,
): boolean {
  return details.fileName !== file.fileName || details.groupName !== file.groupName
}
