/** One step of a guide. */
export interface GuideStep {
  /** Value of `data-guide` of the element that the step is about; without it on the page the step stands in the corner. */
  anchor: string
  /** Where the step stands at it. */
  side: 'left' | 'below'
  title: string
  text: string
}

/** The steps through the builder of insights. */
export const builderSteps: readonly GuideStep[] = [
  {
    anchor: 'settings',
    side: 'left',
    title: 'Add a tile',
    text: 'An insight is made of tiles: charts, tables, texts and more. Add one from this list; the key A brings the list back.',
  },
  {
    anchor: 'tiles',
    side: 'below',
    title: 'Select and arrange',
    text: 'Tiles stand here. Select one, and its data and looks are set in the panel on the right. Drag it by its handle to move it.',
  },
  {
    anchor: 'params',
    side: 'below',
    title: 'Let readers choose',
    text: 'Parameters are fields that readers fill in. Tiles that are bound to them show what was chosen.',
  },
  {
    anchor: 'undo',
    side: 'below',
    title: 'Try things out',
    text: 'Undo takes your changes back one by one. Nothing is stored before you save.',
  },
  {
    anchor: 'save',
    side: 'below',
    title: 'Save',
    text: 'The first save asks for a name and a group. Each save is a version, which you can compare with others and bring back.',
  },
]
