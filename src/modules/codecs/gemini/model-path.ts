/** What stands before the name of a model that was tuned. */
const TUNED = 'tunedModels/';

const OF_ALL = 'models/';

/** The path of an operation of a model, whose name may have its folder before it. @param verb the operation, with its query */
export function modelPath(model: string, verb: string): string {
  const folder = model.startsWith(TUNED) ? TUNED : OF_ALL;
  const name = model.startsWith(folder) ? model.slice(folder.length) : model;
  // Versions stand behind an @, which a path may have.
  return `/${folder}${encodeURIComponent(name).replaceAll('%40', '@')}:${verb}`;
}

/** The name of a model in a body, with its folder. */
export function modelName(model: string): string {
  return model.startsWith(TUNED) || model.startsWith(OF_ALL) ? model : `${OF_ALL}${model}`;
}
