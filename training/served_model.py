"""The controller as an MLflow pyfunc model; MLflow runs this file by itself, the package never imports it.

Input: one row an action, with the columns of the action-value model and then those that only the
continuation model has. Output: `value` (v̂) and `continuation` (probability that going on helps).
Whatever serves it needs this package installed: `mlflow models serve --env-manager local`.
"""

from pathlib import Path
from typing import Any

import mlflow.models
import mlflow.pyfunc
import pandas as pd
from hopilot.models.bundle import Bundle, load_bundle

__all__ = ["ServedController"]


class ServedController(mlflow.pyfunc.PythonModel):  # type: ignore[misc]
    """Scores rows of features with the models of a bundle."""

    bundle: Bundle

    def load_context(self, context: Any) -> None:
        """Open and verify the bundle that was logged with the model."""
        self.bundle = load_bundle(Path(context.artifacts["bundle"]))

    def predict(self, context: Any, model_input: pd.DataFrame, params: Any = None) -> pd.DataFrame:
        """Return value and continuation for each row."""
        manifest = self.bundle.manifest
        rows = model_input[list(manifest.features)].to_numpy("float32")
        state_rows = model_input[list(manifest.state_features)].to_numpy("float32")
        return pd.DataFrame(
            {
                "value": self.bundle.value.predict(rows),
                "continuation": self.bundle.continuation.predict(state_rows),
            }
        )


mlflow.models.set_model(ServedController())
