"""From labelled trajectories to a controller: targets, learners, fitting, tracking and export."""
