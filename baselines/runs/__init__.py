"""What all trainers share. The files, in the order in which they use each other:

trainer.py   `Trainer`, which a trainer subclasses, and its settings
registry.py  all trainers by name
plan.py      `RunPlan`: trainer, game, settings and seed, fixed before a run starts
measure.py   `Measure`: when and against which policies a run is measured
folder.py    the folder of a run: its files, how it is made, and how it is opened again; files of arrays
metrics.py   the table of metrics
plots.py     plots of a run, of outcomes, and of populations
run.py       `Run`: a trainer at work, with its metrics, measurements and checkpoints
training.py  `train` and `resume`, and a start from another run
target.py    a policy that a run learns to beat
exploiting.py  `train_exploiter`: such a run, and how much it gains
loading.py   the policy of a run, for `run:FOLDER`, its network, and the network as ONNX
networks.py  weights, optimisers and threads of torch; `NetworkTrainer`
"""
