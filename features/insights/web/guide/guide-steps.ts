/** One step of a guide. */
export interface GuideStep {
  /** Value of `data-guide` of the element that the step describes; if it is not on the page, the step appears in the corner. */
  anchor: string
  /** Side of the element on which the step appears. */
  side: 'left' | 'below'
  /** Heading of the step. */
  title: string
  /** Explanation below the heading. */
  text: string
}

/** The steps through the builder of insights. */
export const builderSteps: readonly GuideStep[] = [
  {
    anchor: 'settings',
    side: 'left',
    title: 'Add a tile',
    text: 'An insight consists of tiles: charts, tables, text and more. Add one from this list. Press A to open the list again.',
  },
  {
    anchor: 'tiles',
    side: 'below',
    title: 'Select and arrange',
    text: 'Your tiles appear here. Select a tile to set its data and style in the panel on the right. Drag its handle to move it.',
  },
  {
    anchor: 'params',
    side: 'below',
    title: 'Let readers choose',
    text: 'Parameters are fields in which readers choose values. Tiles that are bound to a parameter show the chosen values.',
  },
  {
    anchor: 'undo',
    side: 'below',
    title: 'Try things out',
    text: 'Undo reverts your changes one by one. Nothing is stored until you save.',
  },
  {
    anchor: 'save',
    side: 'below',
    title: 'Save',
    text: 'Enter a name and a group at the first save. Each save creates a version that you can compare and restore.',
  },
]
