/** Runs before every test file, so that all properties use the same seed. fast-check prints it if a property fails. */
import fc from "fast-check";
import { SEED } from "./seed.js";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
