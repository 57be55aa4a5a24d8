/* Trajectories from files. */
#ifndef TRAJECTORY_READ_H
#define TRAJECTORY_READ_H
#include "../numerics/trajectory.h"
#include "host.h"

/* By extension: .h5 .hdf5 (with the engine), .npz, .csv. E3153 another name, E3151 no such file or a damaged one, else as trajectory_from_arrays. */
Status trajectory_read(Host *host, const char *path, const TrajectoryForm *form, Span span, Trajectory *out);

#endif
